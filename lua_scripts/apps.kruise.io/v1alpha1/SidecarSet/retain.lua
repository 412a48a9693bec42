-- No field of the spec belongs to the member: what its webhook fills in are defaults that it fills in again.
function Retain(desired, _observed)
  return desired
end
