// @module-tag long
import { describeSiege } from '../support/siege.ts';

describeSiege('SQLite');
