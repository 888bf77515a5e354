/** The administration, which opens the first screen of the staff member's role: the only address of it that pages of customers need. */
export const ADMIN_HOME = '/admin'
