/** Options of the file chooser. */
export interface FileChoice {
  /** File extensions, separated by commas; any file if absent. */
  accept?: string;
  multiple?: boolean;
  /** Chooses a folder with everything in it instead of files. */
  directory?: boolean;
}

/** Opens the browser's file chooser; resolves with null when it is closed. Needs a user gesture. */
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
    // Outside of the document the element could be garbage-collected before its event.
    input.hidden = true;
    document.body.append(input);
    input.click();
  });
}
