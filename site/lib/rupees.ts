const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 0,
});

/** `₹19,999`, in Indian grouping. */
export const formatRupees = (amount: number): string => rupees.format(amount);
