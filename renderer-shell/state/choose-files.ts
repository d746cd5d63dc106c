/** Options of the browser's file dialog. */
export interface FileChoice {
  /** Endings, separated by commas; default: any file. */
  accept?: string;
  multiple?: boolean;
  /** A folder with all that lies in it, instead of files. */
  directory?: boolean;
}

/** Opens the browser's file chooser; null when it is closed. Needs a user gesture. */
export function chooseFiles(choice: FileChoice): Promise<File[] | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = choice.accept ?? '';
    input.multiple = choice.multiple ?? false;
    input.webkitdirectory = choice.directory ?? false;
    const done = (files: File[] | null) => {
      input.remove();
      resolve(files);
    };
    input.addEventListener('change', () => done([...(input.files ?? [])]), { once: true });
    input.addEventListener('cancel', () => done(null), { once: true });
    // Outside of the document nothing would hold it, and its answer might never come.
    input.hidden = true;
    document.body.append(input);
    input.click();
  });
}
