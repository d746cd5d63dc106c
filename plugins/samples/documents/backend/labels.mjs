const texts = {
  en: { pages: 'By pages', pdf: 'By bookmarks', docx: 'By headings', level: 'Level' },
  zh: { pages: '按页', pdf: '按书签', docx: '按标题', level: '级别' },
};

/** Labels of choices in the language of the host. */
export const labelsOf = (locale) => (locale.startsWith('zh') ? texts.zh : texts.en);
