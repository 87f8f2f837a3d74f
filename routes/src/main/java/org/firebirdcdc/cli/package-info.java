/**
 * The command line: {@code events}, {@code catalog} and {@code inspect}. What is asked for goes to standard output through
 * picocli's writers, everything else to standard error; exit codes are in {@link org.firebirdcdc.cli.Failures}.
 */
package org.firebirdcdc.cli;
