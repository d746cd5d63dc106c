const name = { en: 'Plugin Host has the controls', zh: 'Plugin Host 正在控制' };

const isChinese = (language: string): boolean => language.startsWith('zh');

/** Text of the strip while a model has the controls. */
export const indicatorText = (language: string, stopKey: string): string =>
  isChinese(language)
    ? `AI 模型正在使用鼠标和键盘。按 ${stopKey} 可停止。`
    : `An AI model has the mouse and the keyboard. ${stopKey} stops it.`;

/** Window title of the strip. */
export const indicatorName = (language: string): string =>
  isChinese(language) ? name.zh : name.en;
