/**
 * Every way of a grammar in which PowerShell runs `hidden` although the first program is another one.
 * There is no PowerShell to judge them here, so what runs is known by how a line is made.
 */
export function powershellLines(): string[] {
  const lines = contexts.flatMap((context) => spellings.map((spelling) => context(spelling)));
  return [...new Set([...lines, ...fixed])];
}

/** Ways to write the program, each of which PowerShell takes for `hidden`. */
const spellings: readonly string[] = [
  'hidden x',
  'HIDDEN x',
  'hidden.exe x',
  'hid`den x',
  "& 'hidden' x",
  '& "hidden" x',
  "& ('hid' + 'den') x",
  '& $name x',
  '.\\hidden x',
  "iex 'hidden x'",
  "Invoke-Expression 'hidden x'",
  'cmd /c hidden x',
  "powershell -Command 'hidden x'",
  "pwsh -c 'hidden x'",
  'Start-Process hidden -ArgumentList x',
  'saps -FilePath hidden',
  "node -e 'x'",
  'npx hidden x',
  "git -c core.pager='hidden x' log",
  'make CC=hidden x',
  'cmake -E env hidden x',
  "sqlite3 a '.shell hidden x'",
  "mysql -e '\\! hidden x'",
  'java -XX:OnError=hidden x',
  'helm template x --post-renderer hidden',
];

type Context = (command: string) => string;

const contexts: readonly Context[] = [
  (command) => `ls; ${command}`,
  (command) => `ls\n${command}`,
  (command) => `ls && ${command}`,
  (command) => `ls || ${command}`,
  (command) => `ls | ${command}`,
  (command) => `ls $(${command})`,
  (command) => `ls "$(${command})"`,
  (command) => `ls @(${command})`,
  (command) => `ls (${command})`,
  (command) => `$x = ${command}; ls`,
  (command) => `ls | ForEach-Object { ${command} }`,
  (command) => `ls | % { ${command} }`,
  (command) => `ls | Where-Object { ${command} }`,
  (command) => `ls | ? { ${command} }`,
  (command) => `ls | Sort-Object { ${command} }`,
  (command) => `& { ${command} }`,
  (command) => `. { ${command} }`,
  (command) => `if ($true) { ${command} } else { ls }`,
  (command) => `while ($true) { ${command}; break }`,
  (command) => `do { ${command} } until ($true)`,
  (command) => `for ($i = 0; $i -lt 1; $i++) { ${command} }`,
  (command) => `foreach ($i in 1) { ${command} }`,
  (command) => `switch (1) { 1 { ${command} } }`,
  (command) => `try { ls } catch { } finally { ${command} }`,
  (command) => `trap { ${command} }; ls`,
  (command) => `function ls { ${command} }; ls`,
  (command) => `filter f { ${command} }; ls | f`,
  (command) => `Measure-Command { ${command} }`,
  (command) => `Invoke-Command -ScriptBlock { ${command} }`,
  (command) => `Start-Job { ${command} }`,
  (command) => `ls "a $(if (1) { ${command} }) b"`,
  (command) => `ls @"\n$(${command})\n"@`,
  (command) => `ls # a\n${command}`,
  (command) => `<# a #> ${command}`,
  (command) => `ls \`\n; ${command}`,
];

const fixed: readonly string[] = [
  'Set-Alias ls hidden; ls',
  'New-Alias ls hidden; ls',
  'sal ls hidden; ls',
  'New-Item Alias:ls -Value hidden; ls',
  'Set-Item Alias:ls hidden; ls',
  'Set-Item Function:ls { hidden }; ls',
  "$env:PATH = '.'; ls",
  "[scriptblock]::Create('hidden x').Invoke()",
  "[System.Diagnostics.Process]::Start('hidden')",
  '(Get-Command hidden) | % { & $_ }',
  '& (gcm hidden) x',
  '. ./hidden.ps1',
  'Import-Module ./hidden.psm1',
  'ipmo ./hidden.psm1',
  "bash -c 'hidden x'",
  'wsl hidden x',
  'schtasks /create /tn a /tr hidden',
  'forfiles /c "cmd /c hidden"',
  'wmic process call create hidden',
  'powershell -EncodedCommand aABpAGQAZABlAG4A',
  'conhost hidden x',
  'rundll32 hidden',
  "cmd /c 'ls & hidden'",
];
