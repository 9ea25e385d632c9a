import { createHmac } from 'node:crypto';

/** Data of a receiver when a delivery arrives. */
interface Delivery {
  readonly body: Buffer;
  readonly signature: string | undefined;
  readonly previous: string | undefined;
  /** The secret that the receiver knows. */
  readonly secret: string;
}

export interface Case {
  readonly name: string;
  readonly isGenuine: boolean;
  /** `now` is in Unix seconds. */
  readonly delivery: (now: number) => Delivery;
}

const secret = 'whsec_current-0123456789abcdefghijklmnopqrstuvwxyz';
const replaced = 'whsec_replaced-0123456789abcdefghijklmnopqrstuvwx';
const body = Buffer.from('{"id":"evt_1","type":"order.created","data":{"object":{"customer_name":"Zoë"}}}');
const minute = 60;

/** Signs as § Signature of the specification says; shares no code with the service. */
const sign = (key: string, t: number, bytes: Buffer): string =>
  `t=${t},v1=${createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${t}.`), bytes]))
    .digest('hex')}`;

/** A genuine delivery of this moment, with changes. */
const delivered =
  (change: (now: number) => Partial<Delivery> = () => ({})) =>
  (now: number): Delivery => ({ body, signature: sign(secret, now, body), previous: undefined, secret, ...change(now) });

const rotated = (now: number) => ({ signature: sign(secret, now, body), previous: sign(replaced, now, body) });

export const cases: readonly Case[] = [
  { name: 'genuine', isGenuine: true, delivery: delivered() },
  {
    name: 'genuine, with white space around the comma',
    isGenuine: true,
    delivery: delivered((now) => ({ signature: sign(secret, now, body).replace(',', ' , ') })),
  },
  {
    name: 'genuine, any bytes',
    isGenuine: true,
    delivery: delivered((now) => {
      const bytes = Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x0d, 0x0a, 0x7d]);
      return { body: bytes, signature: sign(secret, now, bytes) };
    }),
  },
  {
    name: 'genuine, 4 minutes old',
    isGenuine: true,
    delivery: delivered((now) => ({ signature: sign(secret, now - 4 * minute, body) })),
  },
  { name: 'rotated, receiver has the new secret', isGenuine: true, delivery: delivered(rotated) },
  {
    name: 'rotated, receiver has the old secret',
    isGenuine: true,
    delivery: delivered((now) => ({ ...rotated(now), secret: replaced })),
  },
  {
    name: 'rotated, receiver has neither secret',
    isGenuine: false,
    delivery: delivered((now) => ({ ...rotated(now), secret: 'whsec_other' })),
  },
  {
    name: 'stale, 6 minutes old',
    isGenuine: false,
    delivery: delivered((now) => ({ signature: sign(secret, now - 6 * minute, body) })),
  },
  {
    name: 'stale, previous header',
    isGenuine: false,
    delivery: delivered((now) => ({
      signature: sign(secret, now - 6 * minute, body),
      previous: sign(replaced, now - 6 * minute, body),
      secret: replaced,
    })),
  },
  {
    name: 'stale, with a new t',
    isGenuine: false,
    delivery: delivered((now) => ({ signature: sign(secret, now - 6 * minute, body).replace(/^t=\d+/, `t=${now}`) })),
  },
  {
    name: '6 minutes in the future',
    isGenuine: false,
    delivery: delivered((now) => ({ signature: sign(secret, now + 6 * minute, body) })),
  },
  { name: 'forged with another secret', isGenuine: false, delivery: delivered((now) => ({ signature: sign('whsec_other', now, body) })) },
  { name: 'forged body', isGenuine: false, delivery: delivered(() => ({ body: Buffer.concat([body, Buffer.from(' ')]) })) },
  { name: 'no header', isGenuine: false, delivery: delivered(() => ({ signature: undefined })) },
  { name: 'header without t', isGenuine: false, delivery: delivered((now) => ({ signature: sign(secret, now, body).split(',')[1] })) },
  {
    name: 'header cut short',
    isGenuine: false,
    delivery: delivered((now) => ({ signature: sign(secret, now, body).slice(0, -1) })),
  },
];
