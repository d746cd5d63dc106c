/**
 * Variables that decide which program runs, what a program loads, or what the shell evaluates. The
 * names are those of the manuals of bash, the dynamic linker, git, and the usual interpreters and
 * build tools.
 */
const names = new Set([
  'PATH',
  'IFS',
  'ENV',
  'HOME',
  'SHELL',
  'CDPATH',
  'SHELLOPTS',
  'BASHOPTS',
  'GLOBIGNORE',
  'EXECIGNORE',
  'HISTFILE',
  'INPUTRC',
  'MAKEFLAGS',
  'GNUMAKEFLAGS',
  'MAKEFILES',
  'MFLAGS',
  'RUBYOPT',
  'RUBYLIB',
  'NODE_OPTIONS',
  'NODE_PATH',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'LESSOPEN',
  'LESSCLOSE',
  'LESS',
  'MANOPT',
  'RUSTC',
  'RUSTC_WRAPPER',
  'RUSTC_WORKSPACE_WRAPPER',
  'RUSTDOC',
  'RUSTFLAGS',
  'CC',
  'CXX',
  'CPP',
  'LD',
  'AR',
  'CFLAGS',
  'CXXFLAGS',
  'CPPFLAGS',
  'LDFLAGS',
  'GOFLAGS',
  'GOENV',
  'GOROOT',
  'GOPATH',
  'TAR_OPTIONS',
  'RSYNC_RSH',
  'CVS_RSH',
  'SVN_SSH',
  'GREP_OPTIONS',
  'RIPGREP_CONFIG_PATH',
  'FZF_DEFAULT_OPTS',
  'VIMINIT',
  'EXINIT',
  'GVIMINIT',
  'MYVIMRC',
  'PSQLRC',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'OPENSSL_ENGINES',
  'GCONV_PATH',
  'TMOUT',
  'TEMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_DATA_HOME',
  'DISPLAY',
  'TERMINFO',
  'CLASSPATH',
  'AWKPATH',
  'AWKLIBPATH',
  'LUA_INIT',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'PIP_INDEX_URL',
  'DENO_DIR',
  'DOCKER_HOST',
  'KUBECONFIG',
  'BROWSER',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'FCEDIT',
  ...['ZDOTDIR', 'FPATH', 'GNUPGHOME', 'DOCKER_CONFIG', 'MAILCAPS', 'LOCPATH', 'NLSPATH', 'M4'],
  ...['YACC', 'LEX', 'FC', 'F77', 'PKG_CONFIG', 'AUTOM4TE', 'ACLOCAL', 'MAKE', 'STRIP', 'NM'],
  ...['RANLIB', 'OBJCOPY', 'OBJDUMP', 'READELF', 'WINDRES', 'EMACSLOADPATH', 'TCLLIBPATH'],
  ...[
    'MORE',
    'MANROFFOPT',
    'MANLESS',
    'MANPATH',
    'COMSPEC',
    'TERMCAP',
    'GLIBC_TUNABLES',
    'NIX_PATH',
  ],
  ...['GCC_EXEC_PREFIX', 'COMPILER_PATH', 'OCAMLRUNPARAM', 'SSLKEYLOGFILE', 'NETRC'],
  ...['GUILE_LOAD_PATH', 'PGSERVICEFILE', 'PGSYSCONFDIR', 'RUBYSHELL', 'MODULEPATH'],
]);

const patterns =
  /^(?:BASH_\w*|PS[0-4]|LD_\w*|DYLD_\w*|GIT_\w*|PYTHON\w*|PERL\w*|NPM_CONFIG_\w*|CARGO\w*|MAVEN_\w*|GRADLE_\w*|ELECTRON_\w*|COMP_\w*|LUA_INIT\w*|\w*(?:_COMMAND|PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|_WRAPPER|_LINKER|_RUNNER|_SHELL|_PROG|_PROGRAM|_CMD|_OPTS|_HOME|_COMPILER|_LAUNCHER|_EXEC)|CGO_\w*|PYTEST_\w*|DOTNET_\w*|COR(?:ECLR)?_\w*|TS_NODE_\w*|ANSIBLE_\w*|TF_\w*|HELM_\w*|PIP_\w*|UV_\w*|COMPOSE\w*|MOCHA_\w*|NODE_\w*|VAGRANT_\w*|BORG_\w*|RESTIC_\w*|RCLONE_\w*|BUNDLE_\w*|GEM_\w*|ANT_\w*|R_(?:PROFILE|ENVIRON|LIBS)\w*|TEX\w*|GTK_\w*|GIO_\w*|QT_\w*|JULIA_\w*|AWS_\w*FILE|(?:WGET|SCREEN|TIG|IRB|ACK|PSQL|YARN|NPM)RC|CCACHE_\w*|CMAKE_\w*|COVERAGE_\w*|ELIXIR_\w*|ERL_\w*|GROFF_\w*|PKG_CONFIG\w*|POETRY_\w*|SOPS_\w*|YARN_\w*|PROMPT_COMMAND|npm_config_\w*)$/;

/** Safe names that the patterns above would match. */
const harmless = new Set([
  'NODE_ENV',
  'NODE_DEBUG',
  'PIP_DISABLE_PIP_VERSION_CHECK',
  'DOTNET_CLI_TELEMETRY_OPTOUT',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONIOENCODING',
  'PYTHONHASHSEED',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_DATE',
  'GIT_TERMINAL_PROMPT',
]);

/**
 * Returns true for a variable that decides what runs, so that a line that changes it is not
 * understood.
 */
export function choosesPrograms(name: string): boolean {
  return names.has(name) || (patterns.test(name) && !harmless.has(name));
}

/** Variables that change the output or the behavior of a program, but not what it runs. */
const settings = new Set([
  'CI',
  'NODE_ENV',
  'RAILS_ENV',
  'APP_ENV',
  'DEBUG',
  'VERBOSE',
  'LOG_LEVEL',
  'RUST_LOG',
  'RUST_BACKTRACE',
  'FORCE_COLOR',
  'NO_COLOR',
  'CLICOLOR',
  'TERM',
  'COLUMNS',
  'LINES',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'LC_COLLATE',
  'LC_MESSAGES',
  'TZ',
  'PORT',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
]);

/**
 * Returns true if a line that sets the variable may be plain. Programs read upper-case variables,
 * and there are more of them than this list has.
 */
export function isPlainVariable(name: string): boolean {
  return settings.has(name) || harmless.has(name) || /^[a-z]/.test(name);
}

/** Returns true if a rule may allow a command although this variable is set for it. */
export function isSetting(name: string): boolean {
  return settings.has(name);
}
