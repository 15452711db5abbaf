//! The roles that structures play in a family tree, whatever standard names them.

/// The role of a structure in a family tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The record of a person.
    Person,
    /// The record of a family.
    Family,
    /// A name of a person.
    Name,
    /// The sex of a person.
    Sex,
    /// A restriction notice: the record is not for everyone.
    Restriction,
    /// A person's link to the family that the person is a child of.
    FamilyAsChild,
    /// A person's link to a family that the person is a partner in.
    FamilyAsSpouse,
    /// A family's link to the husband.
    Husband,
    /// A family's link to the wife.
    Wife,
    /// A family's link to a partner whose role is not stated.
    Partner,
    /// A family's link to a child.
    Child,
    /// The way in which a child belongs to a family: by birth, adoption, foster care.
    Pedigree,
    /// The state of knowledge about a child's link: challenged, disproven, proven.
    LinkStatus,
    /// The family that an adoption made the person a child of.
    AdoptiveFamily,
    /// The partners of a family who adopted.
    AdoptedBy,
    /// The family that a person was born or christened into.
    BirthFamily,
    /// The date of an event.
    Date,
    /// The age of a person at an event.
    Age,
    /// The structure that contains the age of the husband at an event of a family.
    AgeOfHusband,
    /// The structure that contains the age of the wife at an event of a family.
    AgeOfWife,
    /// The kind of an event, in words.
    Type,
    /// The place of an event.
    Place,
    /// A birth.
    Birth,
    /// A baptism.
    Baptism,
    /// A christening.
    Christening,
    /// The christening of an adult.
    AdultChristening,
    /// A death.
    Death,
    /// A burial.
    Burial,
    /// A cremation.
    Cremation,
    /// An adoption.
    Adoption,
    /// The making of a will.
    Will,
    /// The probate of a will.
    Probate,
    /// A graduation.
    Graduation,
    /// A census.
    Census,
    /// Possessions.
    Property,
    /// A title of nobility.
    Title,
    /// An event of a person whose kind is only described in words.
    GenericEvent,
    /// An attribute of a person whose kind is only described in words.
    GenericAttribute,
    /// An ordinance of the Latter-day Saints, which may be done for the dead.
    Ordinance,
    /// Any other event of a person.
    OtherEvent,
    /// Any other attribute of a person.
    OtherAttribute,
    /// A marriage.
    Marriage,
    /// A divorce.
    Divorce,
    /// An annulment of a marriage.
    Annulment,
    /// The filing of a divorce.
    DivorceFiled,
    /// An engagement.
    Engagement,
    /// An event of a family whose kind is only described in words.
    GenericFamilyEvent,
    /// An ordinance of the Latter-day Saints for a couple.
    FamilyOrdinance,
    /// Any other event of a family.
    OtherFamilyEvent,
}

impl Role {
    /// Returns whether this is an event or attribute of a person or family.
    pub const fn is_event(self) -> bool {
        self.is_event_of_person() || self.is_event_of_family()
    }

    /// Returns whether this is an event or attribute of a person.
    pub const fn is_event_of_person(self) -> bool {
        use Role::{
            Adoption, AdultChristening, Baptism, Birth, Burial, Census, Christening, Cremation, Death,
            GenericAttribute, GenericEvent, Graduation, Ordinance, OtherAttribute, OtherEvent, Probate,
            Property, Title, Will,
        };
        matches!(
            self,
            Birth
                | Baptism
                | Christening
                | AdultChristening
                | Death
                | Burial
                | Cremation
                | Adoption
                | Will
                | Probate
                | Graduation
                | Census
                | Property
                | Title
                | GenericEvent
                | GenericAttribute
                | Ordinance
                | OtherEvent
                | OtherAttribute
        )
    }

    /// Returns whether this is an event of a family.
    pub const fn is_event_of_family(self) -> bool {
        use Role::{
            Annulment, Divorce, DivorceFiled, Engagement, FamilyOrdinance, GenericFamilyEvent, Marriage,
            OtherFamilyEvent,
        };
        matches!(
            self,
            Marriage
                | Divorce
                | Annulment
                | DivorceFiled
                | Engagement
                | GenericFamilyEvent
                | FamilyOrdinance
                | OtherFamilyEvent
        )
    }
}
