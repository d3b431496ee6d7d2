/** Commands for the journal of a queue node: check, repair, dump, restore. */
package io.chimera.apps.node.journal;
