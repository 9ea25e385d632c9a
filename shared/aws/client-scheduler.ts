import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig, parseJson, type Service, ServiceException } from './client.ts';

export class ConflictException extends ServiceException {}

const scheduler: Service = { name: 'scheduler', variable: 'SCHEDULER', retryBaseMs: 50, errors: { ConflictException } };

interface Schedule {
  readonly Name: string;
}

/** In the place of `@aws-sdk/client-scheduler`, as far as this service speaks it. */
export class CreateScheduleCommand {
  readonly input: Schedule;

  constructor(input: Schedule) {
    this.input = input;
  }
}

export class SchedulerClient extends Client {
  constructor(config: ClientConfig = {}) {
    super(scheduler, config);
  }

  async send({ input: { Name, ...schedule } }: CreateScheduleCommand): Promise<unknown> {
    const body = JSON.stringify({ ClientToken: randomUUID(), ...schedule });
    const path = `/schedules/${encodeURIComponent(Name)}`;
    return parseJson(await this.call({ path, headers: { 'content-type': 'application/json' }, body }));
  }
}
