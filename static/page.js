// What every page loads. When Django collects the files, all that is imported here takes the place of these lines.

import "./app.js";
import "./phone.js";
import "./live.js";
import "./outbox.js";
