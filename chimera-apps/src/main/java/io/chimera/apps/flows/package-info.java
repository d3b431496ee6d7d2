/** What flows tell: talkers for people, and blocks that see floods and scans. */
package io.chimera.apps.flows;
