import type { GroupName, OperationId } from '../../lib/groups.ts';
import type { EventType, testEventType } from '../../shared/domain/event/types.ts';
import type { MemberTexts } from '../json-schema.ts';
import { checkout } from './checkout.ts';
import type { EventWords, OperationWords, ResourceWords } from './common.ts';
import { customers } from './customers.ts';
import { expenses } from './expenses.ts';
import { inventory } from './inventory.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { products } from './products.ts';
import { quickSales } from './quick-sales.ts';
import { reference } from './reference.ts';
import { webhooks } from './webhooks.ts';

/** A group's under its name; examples are played in this order. */
const resources = { orders, customers, expenses, products, checkout, reference, webhooks, payments, quickSales, inventory };
type Resources = typeof resources;

export const resourceWords: readonly ResourceWords[] = Object.values(resources);

type Part = 'operations' | 'events';
/** What there are words for. */
type Told<Name extends Part> = {
  [Of in keyof Resources]: Resources[Of] extends { readonly [_ in Name]: infer Words } ? keyof Words : never;
}[keyof Resources];

/** Names are the document's own: two resources cannot have one of the same name. */
const together = <Texts>(parts: readonly Readonly<Record<string, Texts>>[]): Record<string, Texts> =>
  Object.fromEntries(
    parts.flatMap(Object.entries).map(([name, texts], i, all) => {
      if (all.findIndex(([other]) => other === name) !== i) throw new Error(`Two things in the document are called ${name}.`);
      return [name, texts];
    }),
  );

export type AnyEventType = EventType | typeof testEventType;

/** An operation without words does not compile, nor does a group, or a type of event. */
export const operationWords: Readonly<Record<OperationId, OperationWords>> = together(
  resourceWords.map(({ operations = {} }) => operations),
) as Record<Told<'operations'>, OperationWords>;

export const groupWords: Readonly<Record<GroupName, { readonly group: NonNullable<ResourceWords['group']> }>> = resources;

export const eventWords: Readonly<Record<AnyEventType, EventWords>> = together(resourceWords.map(({ events = {} }) => events)) as Record<
  Told<'events'>,
  EventWords
>;

export const inputWords: MemberTexts = together(resourceWords.map(({ inputs = {} }) => inputs));
