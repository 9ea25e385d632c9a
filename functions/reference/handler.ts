import { deployedServices } from '../../shared/http/services.ts';
import { reference } from './app.ts';

export const handler = reference(deployedServices(process.env));
