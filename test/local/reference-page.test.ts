import { expect, test } from '@jest/globals';
import { pageDocument, readDocument } from '../../pages/docs/reference.ts';
import { eventTypes, testEventType } from '../../shared/domain/event/types.ts';

test('the page heads every event with the type that a receiver gets', async () => {
  const { webhooks } = JSON.parse(pageDocument(await readDocument()).toString()) as {
    webhooks: Record<string, { post: { summary: string; description: string } }>;
  };
  expect(Object.values(webhooks).map(({ post }) => post.summary)).toEqual([...eventTypes, testEventType]);
  expect(webhooks['order.created']?.post.description).toMatch(/^An order was made\./);
});
