/** Evaluation of flows: traffic reports, and blocks that detect floods and scans. */
package io.chimera.apps.flows;
