/** VoIPSTREAM: scores users by their call data records, to detect telemarketers. */
package io.chimera.apps.voip;
