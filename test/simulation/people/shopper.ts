import type { Random } from '../scheduler/random.ts';
import { pageOrigin, type Shown, type Visit } from '../world/shop-page.ts';
import { insist } from './integrator.ts';
import { type Intent, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { markersIn, newPerson, orderTexts, someEmail, spelled } from './person-data.ts';
import { forget } from './privacy-officer.ts';
import { customerOf } from './storefront.ts';

/** A shopper at a session's page. */
export interface Shopper {
  readonly session: string;
  readonly page: string;
  /** The shopper's input to the form; undefined for a guest with one of a few names. */
  readonly details: Details | undefined;
  readonly random: Random;
  /** URLs of the gateway's pages that the tabs and devices of this session have seen. */
  readonly known: string[];
}

type Details = Readonly<Record<string, string>>;

const mostSteps = 9;
export const thanks = 'https://shop.example.com/thanks';
const cards = { '4242 4242 4242 4242': 5, '4000 0000 0000 0002': 1, '4000 0000 0000 3220': 2 } as const;
const day = 86_400_000;

export const hiddenField = (text: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** Returns a day that a shop takes orders for, whenever the scenario starts. */
export const nextMonth = (nowMs: number): string => new Date(nowMs + 30 * day).toISOString().slice(0, 10);

/** Returns values for the page's form. */
export const formValues = (
  text: string,
  random: Random,
  { card, details }: { readonly card?: string; readonly details?: Details | undefined } = {},
): Record<string, string> => {
  const customer: Details = { delivery_address: '1 Lane', ...(details ?? customerOf(random)) };
  const fields = [...text.matchAll(/<(?:input|textarea) id="(\w+)"/g)].map(([, name]) => name ?? '');
  return Object.fromEntries(
    fields.map((name) => [name, name === 'card_number' ? (card ?? random.weighted(cards)) : (customer[name] ?? '')]),
  );
};

/** The actions of a shopper in the account's shop. */
interface Shopping {
  /** Opens a session, or two with a double click. Undefined without a response. */
  openSession(random: Random, marker: string): Promise<string | undefined>;
  /** Goes through the pages of a session in one tab. */
  browse(shopper: Shopper): Promise<void>;
  /** A whole visit. */
  goShopping(random: Random, marker: string): Promise<void>;
}

/**
 * Returns what a shopper of the account does who double-clicks, reloads, returns late, or never
 * returns.
 */
export const shopperOf = (stage: Stage, name: string): Shopping => {
  const { region, journal, tenant } = stage;
  const { account, shop } = tenant;
  const { scheduler } = region.world;
  const { stripe } = region.page;

  /**
   * Returns a new person, who may have the email of a customer; undefined in the shop, which has no
   * erasures.
   */
  const personOf = (by: string): Details | undefined => {
    if (stage.play !== 'mixed') return undefined;
    const random = scheduler.stream(`who ${by} is`);
    const { company: _, ...person } = newPerson(by, stage.number, random);
    return { ...person, email: spelled(someEmail(stage.number, random), random), delivery_address: orderTexts(by).delivery_address };
  };

  /** A customer may ask to be erased at the moment at which the payment is made. */
  const leaveNowAndThen = ({ details, session }: Shopper): void => {
    const random = scheduler.stream(`${session} leaves at ${scheduler.now()}`);
    if (details === undefined || !random.chance(0.2)) return;
    scheduler.after(random.below(200), () => {
      const customers = [...region.engine.table('simulated').items()].filter(({ pk }) => pk === `cus#${account}`);
      const [mailbox = ''] = markersIn(String(details['email']));
      const own = customers.find((item) => markersIn(String((item['view'] as { readonly email?: unknown }).email)).has(mailbox));
      if (own) void forget(stage, name, String(own['sk']), random);
    });
  };

  const visit = async (shopper: Shopper, request: Visit): Promise<Shown | undefined> => {
    const begunMs = scheduler.now();
    const shown = await region.page.visit(request);
    scheduler.note(name, `${request.method} ${request.path}: ${shown ? `${shown.status} ${shown.location ?? ''}` : 'no answer'}`);
    if (shown?.location === thanks) journal.thanked.push(shopper.session);
    // A page that shows a form again may repeat what was just typed.
    if (shown && request.method === 'GET') journal.responses.push({ what: `GET ${request.path}`, text: shown.text, begunMs, lagMs: 0 });
    return shown;
  };
  const send = (shopper: Shopper, path: string, form: Readonly<Record<string, string>>) =>
    visit(shopper, { method: 'POST', path, form, headers: { origin: pageOrigin, 'sec-fetch-site': 'same-origin' } });

  /** Pays on Stripe's page. Returns false if the shopper leaves and never returns. */
  const payThere = async ({ random, ...shopper }: Shopper, shown: string): Promise<boolean> => {
    if (!shopper.known.includes(shown)) shopper.known.push(shown);
    // Another tab may still have an older page. A session with one page draws nothing.
    const url = shopper.known.length > 1 ? random.pick(shopper.known) : shown;
    await scheduler.sleep(random.below(random.chance(0.2) ? 2_400_000 : 60_000));
    const how = random.weighted({ paid: 6, declined: 1, 'decided later': 2, left: 1 });
    if (how === 'left') return false;
    stripe.pay(url, how, random);
    leaveNowAndThen({ ...shopper, random });
    if (random.chance(0.25)) return false;
    if (random.chance(0.2)) await scheduler.sleep(random.below(1_200_000));
    const back = { method: 'GET', path: `${shopper.page}/return` } as const;
    await Promise.all([visit({ ...shopper, random }, back), ...(random.chance(0.2) ? [visit({ ...shopper, random }, back)] : [])]);
    return true;
  };

  /** Lets the bank decide on a pending card of the sandbox, once or twice. */
  const decide = async (shopper: Shopper, text: string): Promise<void> => {
    const { random } = shopper;
    const fields = ['session', 'token', 'transaction_id'].map((field) => [field, hiddenField(text, field)]);
    const form = { ...Object.fromEntries(fields), answer: random.chance(0.7) ? 'approve' : 'decline' };
    await scheduler.sleep(random.below(random.chance(0.3) ? 600_000 : 5_000));
    const times = random.chance(0.4) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => send(shopper, `/checkout/${account}/notices/sandbox`, form)));
  };

  /** Performs one action on the page. Returns false if the visit ends. */
  const act = async (shopper: Shopper, text: string): Promise<boolean> => {
    const { page, random } = shopper;
    const token = hiddenField(text, 'token');
    const form = text.includes(`action="${page}/pay"`);
    const priced = />Pay ([^<]+)</.exec(text)?.[1];
    if (priced !== undefined) journal.priced.push({ session: shopper.session, text: priced });
    const leadsOn = /href="(https:\/\/checkout\.stripe\.com[^"]*)"/.exec(text)?.[1];
    if (leadsOn !== undefined) return payThere(shopper, leadsOn);
    if (text.includes('/notices/sandbox')) {
      await decide(shopper, text);
      return true;
    }
    if (!form) {
      await scheduler.sleep(random.below(70_000));
      return text.includes('in progress') || text.includes('being checked');
    }
    const payForm = { token, ...formValues(text, random, { details: shopper.details }) };
    leaveNowAndThen(shopper);
    const clicks = [send(shopper, `${page}/pay`, payForm)];
    if (random.chance(0.3)) clicks.push(scheduler.sleep(random.below(400)).then(() => send(shopper, `${page}/pay`, payForm)));
    const [seen] = await Promise.all(clicks);
    if (seen?.location === thanks) return false;
    return seen?.location?.startsWith('https://checkout.stripe.com') ? payThere(shopper, seen.location) : true;
  };

  const order = (marker: string, details: Details | undefined, random: Random): Intent => {
    const { delivery_address, ...customer } = details ?? {};
    const delivery_type = random.pick(['pickup', 'delivery', 'dispatch']);
    const body = {
      items: [{ product_id: random.pick(shop.products), quantity: 1 + random.below(3) }],
      ...(random.chance(0.6) ? { customer: details ? customer : customerOf(random) } : {}),
      ...(delivery_address === undefined ? {} : orderTexts(marker)),
      ...{
        delivery_type,
        delivery_date: nextMonth(scheduler.now()),
        notes: marker,
        success_url: thanks,
        cancel_url: 'https://shop.example.com/',
      },
      ...(delivery_type === 'dispatch' ? {} : { delivery_time: delivery_type === 'pickup' ? '09:00' : '12:00' }),
    };
    return { kind: 'session', account, marker, idempotencyKey: random.chance(0.9) ? `key-${marker}` : undefined, body, tries: [] };
  };

  /** Opens a session, or two with a double click. Undefined without a response. */
  const openSession = async (random: Random, marker: string, details?: Details): Promise<string | undefined> => {
    const intent = order(marker, details, random);
    journal.intents.push(intent);
    const keys = [random.chance(0.7) ? shop.publicKey : tenant.key];
    const isTwice = intent.idempotencyKey !== undefined && random.chance(0.15);
    await Promise.all([insist(stage, name, intent, random, keys), ...(isTwice ? [insist(stage, name, intent, random, keys)] : [])]);
    return intent.tries.map(madeBy).find((id) => id !== undefined);
  };

  const browse = async (shopper: Shopper): Promise<void> => {
    const { random } = shopper;
    for (let step = 0; step < mostSteps; step++) {
      const shown = await visit(shopper, { method: 'GET', path: shopper.page });
      if (shown && shown.status < 500 && !(await act(shopper, shown.text))) return;
      if (random.chance(0.07)) return;
      await scheduler.sleep(random.below(random.chance(0.1) ? 300_000 : 8_000));
    }
  };

  /** At most once, because every day more delays the end of the scenario. */
  let wasLate = false;
  const goShopping = async (random: Random, marker: string): Promise<void> => {
    const details = personOf(marker);
    const session = await openSession(random, marker, details);
    if (session === undefined || random.chance(0.08)) return;
    if (details && random.chance(0.3)) await scheduler.sleep(random.below(1_800_000));
    if (random.chance(0.04) && !wasLate) {
      wasLate = true;
      await scheduler.sleep(day + random.below(3_600_000));
    }
    await browse({ session, page: `/checkout/${account}/${session}`, details, random, known: [] });
  };

  return { openSession, browse, goShopping };
};

/** Shoppers who buy in the account's shop. */
export const buy = async (stage: Stage): Promise<void> => {
  const name = `shopper-${stage.number}`;
  const { goShopping } = shopperOf(stage, name);
  await atWork(stage, {
    name,
    actions: stage.region.world.scheduler.stream(name).below(6),
    pauseMs: (random) => random.below(random.chance(0.2) ? 1_800_000 : 60_000),
    act: (random, action) => goShopping(random, `${name}-${action}`),
  });
};
