import { useLayoutEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** Marks an element that handles dropped files itself. */
export const takesFiles = { 'data-takes-files': '' };

/** Checks the element under the pointer, also below the overlay of an installation. */
const isTakenElsewhere = ({ target, clientX, clientY }: DragEvent): boolean =>
  [
    ...(target instanceof Element ? [target] : []),
    ...document.elementsFromPoint(clientX, clientY),
  ].some((element) => element.closest('[data-takes-files]') !== null);

/** Accepts package files that are dropped anywhere else on the window. */
export function DropTarget() {
  const { t } = useTranslation();
  const { view } = useShell();
  const [isDragOver, setDragOver] = useState(false);

  useLayoutEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      // Otherwise the browser would open the file in place of the shell.
      event.preventDefault();
      setDragOver(!isTakenElsewhere(event));
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setDragOver(false);
      if (isTakenElsewhere(event)) return;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && view.get().install === null) view.patch({ install: files });
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [view]);

  return isDragOver && <div className="drop">{t('drop.install')}</div>;
}
