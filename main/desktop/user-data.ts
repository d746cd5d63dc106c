import { app } from 'electron';

/** Where the desktop keeps its working directory. */
export function userDataDirectory(): string {
  return app.getPath('userData');
}
