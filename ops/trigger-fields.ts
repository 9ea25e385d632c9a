import { invalidValue } from '../shared/core/errors.ts';
import type { EventType } from '../shared/domain/event/types.ts';
import type { DescribedActions, Names } from './describe.ts';
import { cause, causes, samplesOn, type Writer } from './event-causes.ts';
import { readActions, suggestion, unknownFieldIn } from './help.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A write that causes an event. */
interface Write {
  readonly input: Fields;
  /** Fields that the write accepts, except those that `trigger` sets itself. */
  readonly open: Names;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges objects at every depth. Replaces lists, and an object whose `id` names another record. */
const merge = (sample: unknown, fields: unknown): unknown =>
  isObject(sample) && isObject(fields) && !Object.hasOwn(fields, 'id')
    ? { ...sample, ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, merge(sample[name], value)])) }
    : fields;

const decidingField = (type: EventType): string | undefined => causes[type].decidedBy;

/** Returns the writes that cause the event, in order, without making them. */
const writesOf = async (type: EventType, { actions, bodies }: DescribedActions): Promise<readonly Write[]> => {
  const writes: Write[] = [];
  const record = async (names: Names, input: unknown) => {
    const own = Object.hasOwn(input as Fields, 'id') ? ['id'] : [];
    const set = [...own, decidingField(type)];
    writes.push({ input: input as Fields, open: Object.fromEntries(Object.entries(names).filter(([name]) => !set.includes(name))) });
    return { id: '' };
  };
  const writer: Writer = {
    act: (action, input) => record(actions.find(({ name }) => name === action)?.names ?? {}, input),
    create: (what, body) => record(bodies[what], body),
  };
  await cause(type, writer, samplesOn(0), {});
  return writes;
};

/** Returns the fields that can be merged. Each belongs to the last write that accepts it. */
const mergeable = (writes: readonly Write[]): Names => Object.assign({}, ...writes.map(({ open }) => open));

/** Returns the names of the fields that `--json` can merge, for the help. */
export const mergeableFields = async (type: EventType): Promise<readonly string[]> =>
  Object.keys(mergeable(await writesOf(type, readActions())));

const checkFields = async (type: EventType, fields: Fields, names: Names): Promise<void> => {
  const unknown = unknownFieldIn(names, fields);
  if (unknown === undefined) return;
  const field = unknown.path.join('.');
  if (field === 'id' || field === decidingField(type)) throw invalidValue(field, `trigger sets ${field} of ${type}. Leave it out.`);
  const list = `trigger ${type} --help lists the fields.`;
  throw invalidValue(field, `${field} is not a field of ${type}. ${await suggestion(unknown.path.at(-1) ?? '', unknown.known, list)}`);
};

/**
 * Returns what makes a writer merge the fields into the writes that cause the event. Throws
 * `invalid_value` with the field that no write accepts.
 */
export const mergingWriter = async (type: EventType, fields: unknown): Promise<(writer: Writer) => Writer> => {
  if (!isObject(fields)) throw invalidValue('json', '--json must be an object.');
  const writes = await writesOf(type, readActions());
  await checkFields(type, fields, mergeable(writes));
  const targets = Object.keys(fields).map((name) => [name, writes.findLastIndex(({ open }) => Object.hasOwn(open, name))] as const);
  let position = -1;
  const merged = (input: unknown): unknown => {
    position++;
    const own = targets.filter(([, at]) => at === position).map(([name]) => [name, merge((input as Fields)[name], fields[name])]);
    return { ...(input as Fields), ...Object.fromEntries(own) };
  };
  return ({ act, create }) => ({
    act: (action, input) => act(action, merged(input)),
    create: (what, body) => create(what, merged(body)),
  });
};
