import { cutText, hasAtMostCharacters } from '../shared/core/text.ts';
import { painter, type Terminal, visibleLine, wrapped } from './terminal.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of some lists. Other lists show every simple field that fits. */
const preferred: Readonly<Record<string, readonly string[]>> = {
  'key.list': ['id', 'name', 'type', 'group', 'last_used_on', 'expires_at', 'revoked_at'],
  'webhook.list': ['id', 'url', 'enabled', 'disabled_reason', 'consecutive_failures'],
  'delivery.list': ['event_id', 'event_type', 'status', 'attempts', 'last_status_code', 'created_at'],
};

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null;
const simpleNames = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => rows.every((row) => isSimple(row[name])));

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Returns a time in words, for example `3 minutes ago`. Returns a date if it is more than 30 days
 * away.
 */
const relativeTime = (iso: string, nowMs: number): string => {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1000);
  const [unit, length] = units.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const);
  return Math.abs(seconds) > 30 * 86_400 ? iso.slice(0, 10) : relative.format(Math.trunc(seconds / length), unit);
};

const textOf = (value: unknown, nowMs: number): string => {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return timestamp.test(value) ? relativeTime(value, nowMs) : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => textOf(one, nowMs)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const good = new Set(['delivered', 'completed', 'paid', 'active', 'approved']);
const bad = new Set(['failed', 'disabled', 'closed', 'suspended', 'consecutive_failures']);
const styleOf = (text: string) => (good.has(text) ? 'green' : bad.has(text) ? 'red' : text === 'pending' ? 'yellow' : undefined);

const clip = (text: string, width: number): string =>
  hasAtMostCharacters(text, width) ? text : `${cutText(text, Math.max(0, width - 1))}…`;

/**
 * Returns a table that fits the terminal. Columns that do not fit are left out and named below it.
 */
const table = (rows: readonly Row[], names: readonly string[], terminal: Terminal, nowMs: number): string => {
  const paint = painter(terminal);
  const width = terminal.columns ?? 80;
  const cells = rows.map((row) => names.map((name) => visibleLine(textOf(row[name], nowMs))));
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  let used = -2;
  const shown = names.filter((_, i) => {
    const needed = Math.min(widths[i] ?? 0, 40) + 2;
    if (used + needed > width) return false;
    used += needed;
    return true;
  });
  const line = (values: readonly string[], style?: 'dim'): string =>
    shown
      .map((name, i) => {
        const text = clip(values[names.indexOf(name)] ?? '', 40);
        const pad = i === shown.length - 1 ? '' : ' '.repeat(Math.min(widths[names.indexOf(name)] ?? 0, 40) - text.length + 2);
        return paint(style ?? styleOf(text), text) + pad;
      })
      .join('');
  const titles = names.map((name) => name.replaceAll('_', ' '));
  const omitted = names.filter((name) => !shown.includes(name));
  const note = omitted.length > 0 ? wrapped(`${paint('dim', `also: ${omitted.join(', ')} (--output json)`)}\n`, terminal) : '';
  return `${[line(titles, 'dim'), ...cells.map((row) => line(row))].join('\n')}\n${note}`;
};

const fieldsOf = (row: Row, terminal: Terminal, nowMs: number): string => {
  const paint = painter(terminal);
  const width = Math.max(...Object.keys(row).map(({ length }) => length), 0);
  const narrower = { ...terminal, columns: terminal.columns && terminal.columns - 2 };
  return Object.entries(row)
    .map(([name, value]) => {
      const title = paint('dim', name.padEnd(width));
      const within = (text: string): string => `${paint('dim', name)}\n${text.replace(/^(?=.)/gm, '  ')}`;
      if (isRow(value) && Object.keys(value).length > 0) return within(fieldsOf(value, narrower, nowMs));
      if (Array.isArray(value) && value.length > 0 && value.every(isRow)) return within(table(value, simpleNames(value), narrower, nowMs));
      const text = textOf(value, nowMs);
      const time = typeof value === 'string' && timestamp.test(value) ? ` (${value})` : '';
      return wrapped(`${title}  ${paint(styleOf(text), text)}${time && paint('dim', time)}\n`, terminal);
    })
    .join('');
};

/** The field of a result that no later response shows. */
const shownOnce: Readonly<Record<string, string>> = {
  'key.create': 'key',
  'key.replace': 'key',
  'webhook.create': 'secret',
  'webhook.rotate_secret': 'secret',
};

/**
 * Returns the result of an action for a person at a terminal: a table of a list, or a line for each
 * field. A value that is shown once comes first.
 */
export const formatResult = (action: string, result: unknown, terminal: Terminal, nowMs: number): string => {
  if (!isRow(result)) return `${textOf(result, nowMs)}\n`;
  const { [shownOnce[action] ?? '']: once, ...others } = result;
  if (typeof once === 'string')
    return `${painter(terminal)('bold', once)}\nShown once: store it now.\n\n${fieldsOf(others, terminal, nowMs)}`;
  const { data, ...rest } = result;
  if (!Array.isArray(data) || !data.every(isRow)) return fieldsOf(result, terminal, nowMs);
  if (data.length === 0) return 'Nothing found.\n';
  const names = preferred[action]?.filter((name) => data.some((row) => row[name] !== undefined)) ?? simpleNames(data);
  const page = isRow(rest['pagination']) ? rest['pagination'] : rest;
  const more = typeof page['next_cursor'] === 'string' ? `More: --json '${JSON.stringify({ cursor: page['next_cursor'] })}'\n` : '';
  return table(data, names, terminal, nowMs) + more;
};

/**
 * Returns an error for a person at a terminal: its sentence and a hint. Its code and field are for
 * programs, in a pipe.
 */
export const formatError = (body: { readonly error: Row }, hint: string, terminal: Terminal): string => {
  const paint = painter(terminal);
  return wrapped(`${paint('red', 'Error:')} ${paint(undefined, `${body.error['message']}${hint && ` ${hint}`}`)}\n`, terminal);
};
