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
    input.addEventListener('change', () => resolve([...(input.files ?? [])]), { once: true });
    input.addEventListener('cancel', () => resolve(null), { once: true });
    input.click();
  });
}
