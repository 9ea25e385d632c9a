import { deployedServices } from '../../shared/http/services.ts';
import { expenses } from './app.ts';

export const handler = expenses(deployedServices(process.env));
