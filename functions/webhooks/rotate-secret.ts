import { randomBytes } from 'node:crypto';
import { isoFromMs } from '../../shared/core/time.ts';
import { secretGraceMs } from '../../shared/domain/webhook.ts';
import type * as wire from '../../shared/domain/wire/webhook.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import { onEndpoint } from './services.ts';

/** A new secret at once, the old one beside it for 24 hours; one that was already in its grace window ends now (decisions §6). */
export const rotateWebhookSecret = (services: ApiServices) =>
  onEndpoint(services, ({ nowMs }, endpoint) => {
    const secret = newSecret(randomBytes);
    const until = nowMs + secretGraceMs;
    const changes = { secret, previous_secret: endpoint.secret, previous_secret_until_ms: until, updated_at: isoFromMs(nowMs) };
    return {
      body: { id: endpoint.id, secret, previous_secret_expires_at: isoFromMs(until) } satisfies wire.RotatedSecret,
      writes: services.store.endpoints.updateWrites(endpoint, changes),
    };
  });
