// The script of every page.
import { startCopying } from './pages/copy.ts';
import { startForms } from './pages/forms.ts';
import { startResults } from './pages/live-results.ts';
import { showLocalTimes } from './pages/local-time.ts';
import { guardSecret } from './pages/one-time.ts';

showLocalTimes();
startCopying();
startForms();
startResults();
guardSecret();
