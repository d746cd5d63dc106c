/** The output of `--help`. The docs list all properties and their defaults. */
export const usage = `Usage: plugin-host [flags] [file.plugin]

Without flags, the desktop opens.
  --headless                  run the host without a window
  --web                       with --headless: also serve the shell, and print its address
  --mcp                       be an MCP server on stdin and stdout
  --stop                      end the host of the working directory, and wait for its end
  --kit <command>             first of all: make, check, test and pack plugins
  --doctor                    print what this machine lacks
  --work-dir=<folder>         where the data are
  --port=<n>                  0 lets the system choose; default 24056
  --setup=<SQLITE|H2>         first start only: set up that database without questions
  --log-level=<level>         TRACE, DEBUG, INFO, WARN, ERROR or OFF
  --token=<token>             better given as HOST_AUTH_TOKEN, which no process list shows
  --restore-snapshot=<name>   put a snapshot back before the start
  --restore-backup=<file>     fill an empty working directory from a backup
  --<property>=<value>        such as --host.allowed-hosts=localhost:8080
  --help, --version

On the desktop: --disable-gpu, --ozone-platform=<name>, --ozone-platform-hint=<name>,
--password-store=<name>, --force-device-scale-factor=<n>; without a window they mean nothing.

Exit code: 0 stopped, 1 could not start, 2 a flag that cannot be, 3 a host runs there already.
`;
