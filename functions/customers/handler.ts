import { deployedServices } from '../../shared/http/services.ts';
import { customers } from './app.ts';

export const handler = customers(deployedServices(process.env));
