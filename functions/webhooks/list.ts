import type { InferOutput } from 'valibot';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { endpointSummaryView } from '../../shared/domain/webhook/view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';

/** Newest first. */
export const listWebhooks = ({ store }: ApiServices): Operation<InferOutput<typeof listQuery>, unknown, Page<Endpoint>> => ({
  read: async (call) => store.endpoints.list(call.account, pageRequest(call)),
  decide: (call, page) => ({ body: pageBody(call, page, endpointSummaryView) }),
});
