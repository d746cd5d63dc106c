import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowser } from './find-browser.ts';
import { type Cdp, readPage } from './read-page.ts';

let browser: Browser;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  const executablePath = await findBrowser(null);
  if (executablePath === null) throw new Error('There is no Chromium here.');
  browser = await chromium.launch({ executablePath });
  page = await browser.newPage();
  session = await page.context().newCDPSession(page);
}, 60_000);
afterAll(() => browser.close());

const cdp: Cdp = (method, params) => session.send(method as never, params as never);

async function treeOf(body: string): Promise<string> {
  await page.setContent(`<!doctype html><title>A page</title>${body}`);
  return (await readPage(cdp)).accessibility.replace(/^- document "A page"\n?/, '');
}

interface AxValue {
  value?: unknown;
}
interface Native {
  ignored?: boolean;
  role?: AxValue;
  name?: AxValue;
  properties?: { name: string; value: AxValue }[];
}

const own: Record<string, string> = {
  DisclosureTriangle: 'button',
  ColorWell: 'color',
  Iframe: 'iframe',
};
const states =
  /^(?:checked|disabled|expanded|level|pressed|readonly|required|selected|multiselectable|modal|invalid)$/;

/** The nodes with one of these roles in Chromium's own tree. */
async function nativeOf(roles: ReadonlySet<string>): Promise<string[]> {
  const { nodes } = (await cdp('Accessibility.getFullAXTree')) as { nodes: Native[] };
  return nodes.flatMap(({ ignored, role, name, properties = [] }) => {
    const roleValue = String(role?.value);
    const called = own[roleValue] ?? roleValue;
    if (ignored === true || !roles.has(called)) return [];
    const stateNames = properties.flatMap(({ name: state, value: { value } }) => {
      const text = String(value);
      if (!states.test(state) || text === 'false' || text === '') return [];
      if (state === 'level' && called === 'listitem') return [];
      return text === 'true' ? [state] : [`${state}=${text}`];
    });
    return [lineOf(called, String(name?.value), stateNames)];
  });
}

const lineOf = (role: string, name: string, stateNames: string[]): string =>
  `${role} ${JSON.stringify(name.replaceAll(/\s+/g, ' ').trim())} [${stateNames.sort().join(', ')}]`;

function oursOf(tree: string): string[] {
  return tree.split('\n').flatMap((line) => {
    const parts =
      /^ *- (?<role>\w+)(?: (?<name>"(?:[^"\\]|\\.)*"))?(?: value=(?:"(?:[^"\\]|\\.)*"))?(?: \[(?<states>.*)\])?$/.exec(
        line,
      )?.groups;
    if (!parts || parts['role'] === 'text') return [];
    const ownStates = (parts['states'] ?? '')
      .split(', ')
      .filter((state) => states.test(nameOf(state)));
    return [lineOf(parts['role'] ?? '', JSON.parse(parts['name'] ?? '""') as string, ownStates)];
  });
}

const nameOf = (state: string): string => state.split('=')[0] ?? '';

const roleOf = (line: string): string => line.split(' ')[0] ?? '';

it.each([
  '<header>Top</header><nav aria-label="Main"><ul><li><a href="/a">Home <b>now</b></a></ul></nav><main><article><header>of a part</header></article></main><footer>Bottom</footer>',
  '<h2>A  heading <i>here</i></h2><div role="heading" aria-level="4">Four</div><p>Text</p><blockquote>q</blockquote><hr>',
  '<label>Name <input value="v" required></label><label for="q">Which <b>question</b></label><textarea id="q" readonly>long</textarea>',
  '<input type="search" placeholder="Find"><input type="image" alt="Look"><input type="number" title="Number" value="4"><input type="range" aria-label="Volume"><input type="email" aria-label="Mail"><input type="color" aria-label="Colour">',
  '<input type="checkbox" id="c" checked><label for="c">Check</label><input type="radio" name="r" aria-label="one"><input type="radio" name="r" aria-label="two" checked disabled>',
  '<select aria-label="Colour"><option>Red<option selected>Green</select><select multiple aria-label="Many"><option selected>X<option disabled>Y</select>',
  '<input type="submit"><input type="reset"><input type="button" value="Go"><button disabled>Save <svg><title>disk</title></svg></button><button aria-label="Close">x</button><button></button>',
  '<button aria-pressed="true">Bold</button><button aria-expanded="true">Menu</button><button aria-pressed="mixed">Some</button><button title="Tip"></button>',
  '<details><summary>More</summary><p>folded</p></details><details open><summary>Less</summary><button>shown</button></details>',
  '<table><caption>Caption</caption><tr><th>H1<th scope="row">H2<tr><td>c1<td><a href="x">c2</a></table>',
  '<div role="tablist"><div role="tab" aria-selected="true">T1</div><div role="tab">T2</div></div><div role="switch" aria-checked="true" aria-label="Switch"></div>',
  '<div role="menu"><div role="menuitem">Cut</div><div role="menuitemcheckbox" aria-checked="mixed">Some</div></div><div role="tree"><div role="treeitem" aria-expanded="true" aria-level="1">Leaf</div></div>',
  '<span id="one">By</span><span id="two" hidden>hidden label</span><button aria-labelledby="one two nobody">z</button>',
  '<fieldset><legend>Group</legend><input aria-label="inside" aria-invalid="true"></fieldset><figure><figcaption>Figure</figcaption></figure><section aria-label="Part">s</section><section>nameless</section>',
  '<img alt="A picture" src="x"><img alt="" src="x"><img src="x"><a href="#"><img alt="Linked" src="x"></a><svg role="img" aria-label="Drawn"></svg>',
  '<div aria-hidden="true"><button>hidden</button></div><div inert><button>inert</button></div><div style="display:none"><button>gone</button></div><div style="visibility:hidden"><button>unseen</button><button style="visibility:visible">seen</button></div>',
  '<div style="display:contents"><button>boxless</button></div><ul role="presentation"><li>plain</ul><div role="bogus alert">Alarm</div>',
  '<dialog open aria-label="Question"><button>Yes</button></dialog><div role="dialog" aria-modal="true" aria-label="Other">x</div>',
  '<style>a::before{content:"→ "}b::after{content:"!"}</style><a href="#">on</a><h1><b>Stop</b></h1>',
  '<progress value="3" max="10" aria-label="Done"></progress><meter value="0.5" aria-label="Half"></meter><output>out</output><iframe title="Frame"></iframe><a name="x">no link</a>',
  '<input list="l" aria-label="Choose"><datalist id="l"><option value="1"></datalist><div role="listbox" aria-label="Box"><div role="option" aria-selected="true">o</div></div>',
])('tells of the elements what Chromium itself tells: %s', async (body) => {
  const lines = oursOf(await treeOf(body)).filter((line) => roleOf(line) !== 'generic');
  const native = await nativeOf(new Set(lines.map(roleOf)));
  // Chromium represents a tree by its levels.
  expect(lines.sort()).toEqual(native.sort());
});

it('contains the texts, except those that repeat a name', async () => {
  const tree = await treeOf(
    '<h1>Sign <i>in</i></h1><p>Hello <b>there</b>,<br>you</p><button aria-label="Close">x</button><label>Name <input value="old"></label><ul><li>one<li><a href="/b">two</a></ul>',
  );
  expect(tree).toBe(`  - heading "Sign in" [level=1]
  - paragraph
    - text "Hello there,"
    - text "you"
  - button "Close"
    - text "x"
  - text "Name"
  - textbox "Name" value="old"
  - list
    - listitem
      - text "one"
    - listitem
      - link "two"`);
});

it('shows that a password was entered, but not the password', async () => {
  const tree = await treeOf('<input type="PassWord" aria-label="Secret" value="hunter2">');
  expect(tree).toBe('  - textbox "Secret" value="•••"');
});

it.each([
  [
    'has names of its own for what it is made of',
    '<form aria-label="Named"><input name="getAttribute"><input name="parentElement"><input name="labels"><input name="nodeType"><input name="isContentEditable"><input name="shadowRoot"><button>inside</button></form><img name="body"><img name="title" id="title">',
    /form "Named"\n[^]*button "inside"/,
  ],
  [
    'is nested without end',
    '<button id="deep">near</button><script>let at = document.getElementById("deep"); for (let n = 0; n < 2000; n += 1) { const b = document.createElement("b"); at.append(b); at = b; }</script><h1>behind</h1>',
    /button "near"\n[^]*heading "behind"/,
  ],
  [
    'names a thing by all there is',
    `<div id="all">${'<i>word</i>'.repeat(20_000)}</div>${'<button aria-labelledby="all all all">x</button>'.repeat(500)}`,
    /text "word/,
  ],
  [
    'has no end of what is not seen',
    '<h1>first</h1><script>for (let n = 0; n < 60000; n += 1) document.body.append(document.createElement("span"))</script>',
    /^ {2}- heading "first" \[level=1\]\n… \(cut here\)$/,
  ],
  [
    'has roles and labels of any length',
    `<div id="long" role="button">x</div><script>document.getElementById('long').setAttribute('role', ' '.repeat(2 ** 24)); document.getElementById('long').setAttribute('aria-label', 'a'.repeat(2 ** 25));</script>`,
    /generic "a{300}"/,
  ],
])('reads a page that %s', async (_what, body, expected) => {
  expect(await treeOf(body)).toMatch(expected);
});
