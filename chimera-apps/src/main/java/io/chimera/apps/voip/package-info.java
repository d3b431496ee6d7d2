/** VoIPSTREAM: call data records to a score for each user, by which telemarketers are told from others. */
package io.chimera.apps.voip;
