import { EventBridgeClient, type EventBridgeClientConfig, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { batchesOf, callLimits, withCallLimit } from '../core/aws-calls.ts';
import type { Region } from '../core/config.ts';
import type { Notice } from '../domain/account/notice.ts';

/** Event bus for notices to the platform. */
export interface NoticeBus {
  /** Sends notices. Returns those that the bus accepted, because a call may succeed in part. */
  publish(notices: readonly Notice[]): Promise<readonly Notice[]>;
}

/** Connects to the default bus of the AWS account. */
export const connectNoticeBus = ({
  region,
  client = {},
}: {
  readonly region: Region;
  readonly client?: EventBridgeClientConfig;
}): NoticeBus => {
  const bus = withCallLimit(new EventBridgeClient({ ...callLimits, ...client }));
  const put = async (notices: readonly Notice[]): Promise<readonly Notice[]> => {
    const { Entries = [] } = await bus.send(
      new PutEventsCommand({
        Entries: notices.map(({ type, ...detail }) => ({
          Source: `bakery-commerce.${region}`,
          DetailType: type,
          Detail: JSON.stringify(detail),
        })),
      }),
    );
    return notices.filter((_, i) => Entries[i]?.EventId !== undefined);
  };
  return {
    async publish(notices) {
      const accepted: Notice[] = [];
      for (const batch of batchesOf(notices)) accepted.push(...(await put(batch)));
      return accepted;
    },
  };
};
