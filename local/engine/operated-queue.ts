import type { HeldMessage, OperatedQueue } from '../../shared/providers/operated-queue.ts';
import type { LocalQueue, ReceivedMessage } from './queue.ts';

/** A local queue for those who look after it; what they hold comes back like any other message in flight. */
export const operate = (queue: LocalQueue): OperatedQueue => {
  const inHand = new Map<string, ReceivedMessage>();
  const taken = (held: readonly HeldMessage[]) =>
    held.flatMap(({ receipt }) => {
      const message = inHand.get(receipt);
      inHand.delete(receipt);
      return message ? [message] : [];
    });
  return {
    send: queue.send,
    async depth() {
      const { visible, inFlight, delayed } = queue.counts();
      return { waiting: visible, in_flight: inFlight, delayed };
    },
    async receive() {
      const [group] = queue.waitingGroups();
      if (group === undefined) return [];
      return queue.receive(group).map((message) => {
        inHand.set(message.id, message);
        const { id, body, groupId, sentMs, receiveCount } = message;
        return { id, receipt: id, body, groupId, sentMs, receiveCount };
      });
    },
    async remove(messages) {
      queue.remove(taken(messages));
    },
    async release(messages) {
      queue.putBack(taken(messages));
    },
  };
};
