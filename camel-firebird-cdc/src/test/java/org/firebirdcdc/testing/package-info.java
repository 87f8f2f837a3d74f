/** What tests of all modules need: a real Firebird server with databases whose journal is archived into a folder. */
package org.firebirdcdc.testing;
