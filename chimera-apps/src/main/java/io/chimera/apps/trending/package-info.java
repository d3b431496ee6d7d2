/** Twitter trending: tweets to measure and test with, and the ranking of their hashtags. */
package io.chimera.apps.trending;
