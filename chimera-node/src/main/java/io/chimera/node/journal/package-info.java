/** Commands for the journal of a queue node: check, repair, dump, restore. */
package io.chimera.node.journal;
