import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Patience } from './conflicts.ts';

type Item = Record<string, unknown>;

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** The item as it stands, consistent; undefined where there is none. */
export type GetItem = (key: ItemKey) => Promise<Item | undefined>;

interface Asked {
  readonly key: ItemKey;
  readonly answer: PromiseWithResolvers<Item | undefined>;
}

/** What BatchGetItem takes. */
const maxKeys = 100;
/** Calls in a row that bring nothing before the table counts as down: about 3 s of pauses. */
const maxFruitless = 10;

const nameOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk]);

/**
 * Reads of single items that share calls: whatever is asked for in one tick, microtasks included, is one BatchGetItem for each 100 keys,
 * and a key that several ask for is read once. Who asks later never joins a call that has been sent, so a read sees every write that
 * ended before it. An error rejects the readers of that call alone, and a key that the table refuses to read those who asked for it;
 * what a call leaves unprocessed is asked for again.
 */
export const pointReads = (client: Pick<DynamoDBDocumentClient, 'send'>, table: string, { clock, random }: Patience): GetItem => {
  const call = async (open: Map<string, Asked>): Promise<void> => {
    for (let [again, fruitless] = [false, 0]; open.size > 0; again = true) {
      if (again) await clock.sleep(random.fraction() * Math.min(600, 50 * 2 ** fruitless));
      const Keys = [...open.values()].map(({ key }) => key);
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      const found = new Map(Responses?.[table]?.map((item) => [nameOf(item), item]));
      const left = new Set(UnprocessedKeys?.[table]?.Keys?.map(nameOf));
      for (const [name, { answer }] of open) {
        if (left.has(name)) continue;
        open.delete(name);
        answer.resolve(found.get(name));
      }
      fruitless = left.size < Keys.length ? 0 : fruitless + 1;
      if (fruitless === maxFruitless) throw new Error(`The table left ${left.size} keys unprocessed in ${maxFruitless} calls.`);
    }
  };

  const answerAll = async (open: Map<string, Asked>): Promise<void> => {
    try {
      await call(open);
    } catch (error) {
      const isRefused = error instanceof Error && error.name === 'ValidationException' && open.size > 1;
      if (isRefused) await Promise.all([...open].map((one) => answerAll(new Map([one]))));
      else for (const { answer } of open.values()) answer.reject(error);
    }
  };

  let waiting = new Map<string, Asked>();
  /** Every call answers those who wait for it, with its failure too. */
  const send = (): void => {
    const asked = [...waiting];
    waiting = new Map();
    for (let i = 0; i < asked.length; i += maxKeys) void answerAll(new Map(asked.slice(i, i + maxKeys)));
  };

  return (key) => {
    // The next tick begins when every microtask has run, those that they queue included.
    if (waiting.size === 0) queueMicrotask(() => process.nextTick(send));
    const name = nameOf({ ...key });
    const asked = waiting.get(name) ?? { key, answer: Promise.withResolvers<Item | undefined>() };
    waiting.set(name, asked);
    return asked.answer.promise;
  };
};
