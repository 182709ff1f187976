/** Said wherever a result was taken as it came. */
export const nothingChecked = "nothing was checked: the contract names no command and limits no files";
