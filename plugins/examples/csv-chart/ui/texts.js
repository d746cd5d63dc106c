'use strict';

const texts = {
  en: {
    title: 'CSV chart',
    intro: 'Draws a bar chart of two columns of a CSV file.',
    pick: 'Choose a CSV file…',
    labels: 'Labels',
    values: 'Numbers',
    cancel: 'Cancel',
    progress: 'Progress',
    chart: '{value} by {label}',
  },
  'zh-CN': {
    title: 'CSV 图表',
    intro: '用 CSV 文件的两列绘制条形图。',
    pick: '选择 CSV 文件…',
    labels: '标签',
    values: '数值',
    cancel: '取消',
    progress: '进度',
    chart: '{value}，按{label}',
  },
};
