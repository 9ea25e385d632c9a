import { deployedServices } from '../../shared/http/services.ts';
import { products } from './app.ts';

export const handler = products(deployedServices(process.env));
