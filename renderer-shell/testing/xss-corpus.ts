/** Texts that run if they are interpreted as markup. Each would set `window.hacked`. */
export const xssCorpus = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  "'-window.hacked=1-'",
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  'javascript:window.hacked=1',
  '<a href="javascript:window.hacked=1">click</a>',
  '{{constructor.constructor("window.hacked=1")()}}',
  '$t(plugins.title) {{name}} <code>x</code>',
  '<style>*{display:none}</style>',
  '\u202Egnp.nigulp\u202C <b>bold</b>',
  '<math><mi//xlink:href="data:x,<script>window.hacked=1</script>">',
];
