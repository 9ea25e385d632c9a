/** Days after which AWS Backup deletes a backup of the table, and its copy in the other AWS account; copies hold people who were erased since. */
export const secondCopy = { backupDays: 2, copyDays: 7 } as const;
