import { deployedServices } from '../../shared/http/services.ts';
import { orders } from './app.ts';

export const handler = orders(deployedServices(process.env));
