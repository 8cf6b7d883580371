/**
 * What the page at /docs does in a browser: filters, opens what the address names, and sends requests to this service
 * alone. An API key that is pasted is in its field and nowhere else.
 */
export const pageScript = `
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const make = (name, members = {}, children = []) => {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
};
const base = new URL('./', location.href).href.replace(/\\/$/, '');

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const showTheme = () => {
  const chosen = localStorage.getItem('slipway-theme');
  const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
};
prefersDark.addEventListener('change', showTheme);
showTheme();

const language = one('#language');
const showLanguage = () => { document.body.dataset.language = language.value; };
language.value = localStorage.getItem('slipway-docs-language') ?? 'curl';
if (!language.value) language.value = 'curl';
language.addEventListener('change', () => {
  localStorage.setItem('slipway-docs-language', language.value);
  showLanguage();
});
showLanguage();

const entries = all('details.entry');
const texts = entries.map((entry) => (entry.id + ' ' + entry.firstElementChild.textContent).toLowerCase());
const links = new Map(all('.index a').map((link) => [link.hash.slice(1), link]));
one('#filter').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  entries.forEach((entry, index) => {
    entry.hidden = !words.every((word) => texts[index].includes(word));
    const item = links.get(entry.id)?.parentElement;
    if (item) item.hidden = entry.hidden;
  });
  for (const section of all('main section.group')) section.hidden = !one('details.entry:not([hidden])', section);
  for (const group of all('.index details')) {
    group.hidden = !one('li:not([hidden])', group);
    if (words.length > 0) group.open = true;
  }
});

const openNamed = () => {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const link of links.values()) link.removeAttribute('aria-current');
  if (entry?.tagName !== 'DETAILS') return;
  entry.hidden = false;
  entry.closest('section').hidden = false;
  entry.open = true;
  const link = links.get(entry.id);
  link?.setAttribute('aria-current', 'true');
  const group = link?.closest('details');
  if (group) group.open = true;
  entry.scrollIntoView();
};
addEventListener('hashchange', openNamed);

for (const box of all('.copyable')) {
  const button = make('button', { type: 'button', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(one('pre', box).textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
  });
  one('pre', box).tabIndex = 0;
  box.append(button);
}

const key = one('#key');
const workspace = one('#workspace');
workspace.value = sessionStorage.getItem('slipway-workspace') ?? '';
const headersOf = (extra = {}) => {
  const token = key.value.trim();
  const id = workspace.value.trim();
  return {
    Accept: 'application/json',
    ...(token ? { Authorization: 'Bearer ' + token } : {}),
    ...(id ? { 'X-Workspace-ID': id } : {}),
    ...extra,
  };
};
const ask = (path, options) => fetch(base + path, { redirect: 'error', ...options });

const who = one('#who');
const showCaller = async () => {
  try {
    const response = await ask('/workspace/v1alpha1/me', { headers: headersOf() });
    const me = await response.json();
    who.textContent = response.ok
      ? 'Requests are sent as ' + (me.user.email ?? me.user.name ?? me.user.id) + ' (' + me.role + ') in the workspace ' + (me.workspace?.name ?? 'of the key') + (key.value.trim() ? ', with the API key.' : ', with the session of this browser.')
      : (key.value.trim() || workspace.value.trim()) ? me.message : 'Nobody is signed in: sign in to the console, or paste an API key.';
  } catch {
    who.textContent = 'The service does not answer.';
  }
};
key.addEventListener('change', showCaller);
workspace.addEventListener('change', showCaller);

const maxShown = 200000;
const pretty = (text, type) => {
  if (!type.includes('json')) return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
};

const send = async (form, output, signal) => {
  const { method, path } = form.dataset;
  const url = new URL(base + path.replace(/\\{(\\w+)\\}/g, (_text, name) => encodeURIComponent(form.elements['path.' + name].value.trim())));
  for (const field of all('[data-place=query]', form)) {
    if (field.value.trim()) url.searchParams.set(field.dataset.name, field.value.trim());
  }
  const body = form.elements.body?.value;
  const extra = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method, headers: headersOf({ ...extra, Accept: '*/*' }), body, signal, redirect: 'error' });
  const id = response.headers.get('x-request-id');
  output.head.textContent = response.status + (id ? ', request ' + id : '');
  const type = response.headers.get('content-type') ?? '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxShown) break;
    if (type.includes('event-stream') || type.includes('text/plain')) output.text.textContent = text;
  }
  output.text.textContent = text === '' ? '(no body)' : pretty(text.slice(0, maxShown), type);
};

const fieldOf = ({ name, place, hint }) => {
  const input = make('input', { name: place + '.' + name, autocomplete: 'off', spellcheck: false, title: hint });
  input.dataset.place = place;
  input.dataset.name = name;
  if (place === 'path') input.required = true;
  return make('label', {}, [name + (place === 'query' ? ' (optional)' : ''), input]);
};

const addTry = (holder) => {
  const { method, path, parameters } = holder.dataset;
  const example = one('template', holder)?.content.textContent;
  const form = make('form', { className: 'try' }, JSON.parse(parameters).map(fieldOf));
  Object.assign(form.dataset, { method, path });
  if (example !== undefined) {
    const area = make('textarea', { name: 'body', value: example, spellcheck: false });
    form.append(make('label', {}, ['Body', area]));
  }
  const output = {
    head: make('p', { className: 'fact' }),
    text: make('pre', { tabIndex: 0, hidden: true, ariaLabel: 'Answer' }),
  };
  output.head.setAttribute('role', 'status');
  const button = make('button', { type: 'submit', className: 'primary', textContent: 'Send ' + method });
  const stop = make('button', { type: 'button', textContent: 'Stop', hidden: true });
  form.append(make('div', { className: 'row' }, [button, stop]), output.head, output.text);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!stop.hidden) return;
    const own = new AbortController();
    stop.onclick = () => own.abort();
    stop.hidden = false;
    output.head.textContent = 'Sending…';
    output.text.textContent = '';
    output.text.hidden = false;
    try {
      await send(form, output, own.signal);
    } catch (error) {
      if (!own.signal.aborted) output.head.textContent = 'No answer: ' + error.message;
    }
    stop.hidden = true;
    if (output.text.textContent === '') output.text.hidden = true;
  });
  holder.append(form);
};
for (const entry of entries) {
  entry.addEventListener('toggle', () => {
    const holder = one('.tryit', entry);
    if (holder && !one('form', holder)) addTry(holder);
  });
}

openNamed();
void showCaller();
`;
