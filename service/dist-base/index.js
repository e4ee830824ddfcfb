import { createService } from './chunk-6JEC3QWQ.js';
import './chunk-VPZLPGDZ.js';

export { createService };
