import { connectionFates, type Process } from '../scheduler/process.ts';
import { rejectIf, withRetries } from './calls.ts';

/** Parameter Store: secrets of accounts, by `<account>/<name>`. */
export class ParametersModel {
  readonly values = new Map<string, string>();

  /** Returns a reader for a process. It rejects with the reason if a parameter cannot be read. */
  from(process: Process): (parameter: string) => Promise<string> {
    return (parameter) =>
      withRetries(process, {
        what: `read the parameter ${parameter}`,
        faults: [...connectionFates, 'throttled', 'unavailable'],
        carry: (rejection) => {
          rejectIf(rejection, 'Parameter Store');
          const value = this.values.get(parameter);
          if (value === undefined) throw new Error('400 ParameterNotFound');
          return value;
        },
      });
  }
}
