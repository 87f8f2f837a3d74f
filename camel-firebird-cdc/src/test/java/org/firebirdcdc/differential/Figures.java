package org.firebirdcdc.differential;

/**
 * What was done and compared.
 *
 * @param databases    random databases
 * @param statements   that the server executed
 * @param errors       statements that it refused
 * @param transactions committed ones that were delivered, with at least one row change
 * @param changes      row changes in them
 * @param spread       of the transactions, those in more than one segment
 * @param oldValues    values of old images compared with what the changes before had made
 * @param values       values of rebuilt rows compared with those of SELECT
 * @param restarts     captures that were stopped and opened again in between
 */
record Figures(
        long databases,
        long statements,
        long errors,
        long transactions,
        long changes,
        long spread,
        long oldValues,
        long values,
        long restarts) {

    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0);

    Figures plus(Figures other) {
        return new Figures(
                databases + other.databases,
                statements + other.statements,
                errors + other.errors,
                transactions + other.transactions,
                changes + other.changes,
                spread + other.spread,
                oldValues + other.oldValues,
                values + other.values,
                restarts + other.restarts);
    }
}
