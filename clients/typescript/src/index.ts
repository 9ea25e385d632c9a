export { type Client, type ClientOptions, createClient } from './client.ts';
export { ApiError, ConnectionError, type ErrorCode, TimeoutError } from './errors.ts';
export type * from './generated/types.gen.ts';
export type { CallOptions, CreateOptions, ResponseInfo } from './transport.ts';
export {
  type VerifyWebhookInput,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts';
