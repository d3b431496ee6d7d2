/** Commands that look after the journal of a queue node: check, repair, dump. */
package io.chimera.apps.node.journal;
